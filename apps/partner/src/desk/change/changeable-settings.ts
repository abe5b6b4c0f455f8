// The settings that need two admins, by their names.

import { bankRulesSetting } from '#partner/desk/policy/bank-rules.ts'
import { debitsSetting } from '#partner/desk/policy/debit-policy.ts'
import { holidaysSetting } from '#partner/desk/policy/holidays.ts'
import { provisionsSetting } from '#partner/desk/policy/provision-rates.ts'
import { limitsSetting } from '#partner/desk/staff/approval-limits-setting.ts'
import { rolesSetting } from '#partner/desk/staff/roles-setting.ts'
import type { DeskSetting } from './desk-setting.ts'
import type { SettingName } from './setting-change.ts'

export const changeableSettings: Record<SettingName, DeskSetting> = {
  LIMITS: limitsSetting,
  ROLES: rolesSetting,
  DEBITS: debitsSetting,
  HOLIDAYS: holidaysSetting,
  PROVISIONS: provisionsSetting,
  BANK_RULES: bankRulesSetting,
}
