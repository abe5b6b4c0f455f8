// The limits of approval, as a setting that two admins change: by act and role, alone and for others.

import { rupees } from '#kit/money/money.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { type ApprovalLimit, type CheckedName, checkedNames, isAlwaysChecked } from '#partner/desk/approval/request.ts'
import { listLimits, saveLimits } from '#partner/desk/approval/store.ts'
import type { Texts } from '#partner/desk/change/change.ts'
import type { DeskSetting } from '#partner/desk/change/setting.ts'
import { paiseIn } from '#partner/desk/parts/form-fields.ts'
import { capital, plain } from '#partner/desk/parts/format.ts'
import { type Role, roles } from '#partner/desk-person.ts'
import { can, mayDo } from './staff-act.ts'

/** Only people with the permission act alone, and only people who decide requests approve. */
export const doing = (act: CheckedName): readonly Role[] => (isAlwaysChecked(act) ? [] : mayDo(checkedActs[act].act))
export const deciding = roles.filter((role) => can({ roles: [role] }, 'REQUEST_APPROVED'))

const limitsIn = (form: URLSearchParams): ApprovalLimit[] =>
  checkedNames.flatMap((act) =>
    deciding.map((role) => ({
      role,
      act,
      alonePaise: doing(act).includes(role) ? paiseIn(form, `alone.${act}.${role}`) : 0n,
      approvePaise: paiseIn(form, `approve.${act}.${role}`),
    })),
  )

const textsOf = (limits: ApprovalLimit[]): Texts =>
  Object.fromEntries(
    limits
      .filter(({ role }) => deciding.includes(role))
      .flatMap(({ role, act, alonePaise, approvePaise }) => {
        const name = `${capital(checkedActs[act].label)}, ${plain(role)}`
        return [
          [`${name}, alone up to`, rupees(alonePaise)],
          [`${name}, approves up to`, rupees(approvePaise)],
        ]
      }),
  )

const none = checkedNames.flatMap((act) => deciding.map((role) => ({ role, act, alonePaise: 0n, approvePaise: 0n })))

export const limitsSetting: DeskSetting = {
  label: 'the limits of approval',
  act: 'LIMITS_CHANGED',
  wanted: ({ form }) => ({ fromOn: null, texts: textsOf(limitsIn(form)) }),
  now: async (db) => ({ ...textsOf(none), ...textsOf(await listLimits(db)) }),
  apply: (tx, { form }) => saveLimits(tx, limitsIn(form)),
}
