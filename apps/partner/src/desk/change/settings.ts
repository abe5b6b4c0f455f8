// The settings that two admins change.

import { bankRulesSetting } from '#partner/desk/policy/bank-rules.ts'
import { debitsSetting } from '#partner/desk/policy/debits.ts'
import { holidaysSetting } from '#partner/desk/policy/holidays.ts'
import { provisionsSetting } from '#partner/desk/policy/provisions.ts'
import { limitsSetting } from '#partner/desk/staff/limits-setting.ts'
import { rolesSetting } from '#partner/desk/staff/roles-setting.ts'
import type { SettingName } from './change.ts'
import type { DeskSetting } from './setting.ts'

export const settings: Record<SettingName, DeskSetting> = {
  LIMITS: limitsSetting,
  ROLES: rolesSetting,
  DEBITS: debitsSetting,
  HOLIDAYS: holidaysSetting,
  PROVISIONS: provisionsSetting,
  BANK_RULES: bankRulesSetting,
}
