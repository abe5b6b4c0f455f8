// Rules of loans per channel, as data.
import type { ServicingKind } from '#contract/headless/journey.ts'
import type { ChannelName } from './channel.ts'

export interface ChannelRules {
  /**
   * Whether choosing an offer only submits the application for review: the final terms have the Key Facts Statement and
   * always need a separate acceptance (D3 §1.1 rule 4).
   */
  isChoiceOnlyApplication: boolean
  /** Whether lenders accept complaints over the channel (FIS12 §20). */
  acceptsGrievances: boolean
  /** The possible payments outside the schedule. */
  payments: readonly Exclude<ServicingKind, 'STATUS_REFRESH'>[]
  /**
   * Whether the lender decides if an instalment was missed, so it is asked even if no overdue one is known (FIS12
   * §18.5).
   */
  isMissedDecidedByLender: boolean
  /** Whether the lender reports the account data of a statement and a schedule (D3 §4.4). */
  reportsAccountData: boolean
  /** Whether the price of a cooling-off exit is agreed: principal and interest for the days, less the refunded fee. */
  isExitPriceAgreed: boolean
  /** Whether borrowers may send the lender written requests, such as to stop before disbursal (D3 §1). */
  acceptsWrittenRequests: boolean
}

const rules: Record<ChannelName, ChannelRules> = {
  NETWORK: {
    isChoiceOnlyApplication: false,
    acceptsGrievances: true,
    payments: ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'],
    isMissedDecidedByLender: true,
    reportsAccountData: false,
    isExitPriceAgreed: false,
    acceptsWrittenRequests: false,
  },
  PARTNER: {
    isChoiceOnlyApplication: true,
    acceptsGrievances: false,
    payments: ['PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'],
    isMissedDecidedByLender: false,
    reportsAccountData: true,
    isExitPriceAgreed: true,
    acceptsWrittenRequests: true,
  },
}

/** The rules for an offer, and for its loan. */
export const rulesOf = ({ channel }: { channel: ChannelName }): ChannelRules => rules[channel]
