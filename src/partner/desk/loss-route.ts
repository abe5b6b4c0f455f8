// The decision that a borrower's loans are lost: no end of a day gives that class.

import { formFrom } from '#kit/http/form.ts'
import { Type } from '#kit/http/schema.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { route } from '#partner/context.ts'
import { decideLoss } from '#partner/loan/class/decide-loss.ts'
import { pageWithProblem } from './case-routes.ts'
import { reasonIn } from './form-fields.ts'
import { goTo } from './frame.ts'
import { may } from './staff.ts'
import { noteAct } from './staff-act.ts'

export const lossRoute = route({
  method: 'POST',
  path: '/desk/cases/{caseRef}/loss',
  section: 'operation',
  auth: may('LOSS_DECIDED'),
  hidden: true,
  params: Type.Object({ caseRef: Type.String({ maxLength: 200 }) }),
  summary: 'Decide that the loans of a borrower are lost',
  accepts: 'raw',
  async handle({ who, params: { caseRef }, raw, at }, ctx) {
    const form = formFrom(raw)
    const { staffId } = who
    try {
      // All cases of the borrower are held in one order, this one among them.
      await ctx.db.tx(async (tx) => {
        await decideLoss(tx, {
          caseRef,
          decidedBy: staffId,
          remark: reasonIn(form, 'reason', ''),
          on: businessDate(at),
        })
        await noteAct(tx, { staffId, act: 'LOSS_DECIDED', about: { caseRef }, at })
      })
    } catch (error) {
      return pageWithProblem(ctx, who, { caseRef, action: 'loss', form, error, at })
    }
    return goTo(`/desk/cases/${encodeURIComponent(caseRef)}`)
  },
})
