// The decision that a borrower's loans are lost: no end of a day gives that class.

import { businessDate } from '#kit/money/calendar.ts'
import { decideLoss } from '#partner/loan/class/decide-loss.ts'
import { formRoute } from './case-routes.ts'
import { reasonIn } from './form-fields.ts'
import { noteAct } from './staff-act.ts'

/** All cases of the borrower are held in one order, this one among them: it is not held before. */
export const lossRoute = formRoute(
  { name: 'loss', summary: 'Decide that the loans of a borrower are lost', kind: 'LOSS_DECIDED' },
  (ctx, { staffId }, { caseRef, form, at }) =>
    ctx.db.tx(async (tx) => {
      await decideLoss(tx, { caseRef, decidedBy: staffId, remark: reasonIn(form, 'reason', ''), on: businessDate(at) })
      await noteAct(tx, { staffId, act: 'LOSS_DECIDED', about: { caseRef }, at })
    }),
)
