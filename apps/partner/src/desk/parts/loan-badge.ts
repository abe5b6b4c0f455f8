// The badge of a loan's status, which shows a cooling-off cancellation too.

import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { badge, formatDay, toneBadge } from '#partner/desk/parts/format.ts'
import type { AccountView } from '#partner/servicing/loan/account-view.ts'
import { isExiting } from '#partner/servicing/loan/exit.ts'

/** The state of a loan, with the last day to pay of a cancellation. */
export const loanBadge = (loan: Pick<AccountView, 'loanStatus' | 'exitUntil'>, now: Date): Html =>
  html`${badge(loan.loanStatus)}${isExiting(loan, businessDate(now)) && html` ${toneBadge('warn', html`Cancelling until ${formatDay(loan.exitUntil)}`)}`}`
