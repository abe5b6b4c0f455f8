// Rules of loans per channel, as data.
import type { ServicingKind } from '@lendloom/wire/headless/journey'
import type { ChannelName } from './channel.ts'

export interface ChannelRules {
  /**
   * Whether choosing an offer only submits the application for review. The borrower accepts the final terms and their
   * Key Facts Statement separately (D3 §1.1 rule 4).
   */
  isChoiceOnlyApplication: boolean
  /** Whether lenders accept complaints over the channel (FIS12 §20). */
  acceptsGrievances: boolean
  /** The payments that a borrower can make outside the schedule. */
  payments: readonly Exclude<ServicingKind, 'STATUS_REFRESH'>[]
  /** Whether the borrower pays on a page of the lender, and not by a transfer. */
  hasPaymentPages: boolean
  /** Whether the lender decides if an instalment is missed, even if we know of no overdue instalment (FIS12 §18.5). */
  isMissedDecidedByLender: boolean
  /** Whether the lender reports the account data of a statement and a schedule (D3 §4.4). */
  reportsAccountData: boolean
  /** Whether a cooling-off exit has an agreed price: principal and interest for the days, minus the refunded fee. */
  isExitPriceAgreed: boolean
  /** Whether borrowers may send the lender written requests, such as to cancel before disbursal (D3 §1). */
  acceptsWrittenRequests: boolean
}

const rules: Record<ChannelName, ChannelRules> = {
  NETWORK: {
    isChoiceOnlyApplication: false,
    acceptsGrievances: true,
    payments: ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'],
    hasPaymentPages: true,
    isMissedDecidedByLender: true,
    reportsAccountData: false,
    isExitPriceAgreed: false,
    acceptsWrittenRequests: false,
  },
  PARTNER: {
    isChoiceOnlyApplication: true,
    acceptsGrievances: false,
    payments: ['PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'],
    hasPaymentPages: false,
    isMissedDecidedByLender: false,
    reportsAccountData: true,
    isExitPriceAgreed: true,
    acceptsWrittenRequests: true,
  },
}

export const rulesOf = ({ channel }: { channel: ChannelName }): ChannelRules => rules[channel]
