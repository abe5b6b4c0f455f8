// Rules of loans per channel, as data.
import type { ServicingKind } from '#contract/headless/journey.ts'
import type { ChannelName } from './channel.ts'

export interface ChannelRules {
  /**
   * Whether choosing an offer only submits the application for review: the final terms have the Key Facts Statement and
   * always need a separate acceptance (D3 §1.1 rule 4).
   */
  choiceSubmits: boolean
  /** Whether its lenders take complaints over it (FIS12 §20). */
  takesGrievances: boolean
  /** The payments that are possible outside the plan. */
  payments: readonly Exclude<ServicingKind, 'STATUS_REFRESH'>[]
  /**
   * Whether the lender decides if an instalment was missed: it is asked although none is known to be overdue (FIS12
   * §18.5).
   */
  lenderSaysMissed: boolean
  /** Whether its lender reports the whole account, for a statement and a schedule (D3 §4.4). */
  tellsAccount: boolean
  /** Whether who leaves within the cooling-off period pays principal and interest by the day, less the fee: agreed with the partner. */
  exitIsPriced: boolean
  /** Whether its lender is asked in writing for what its interface has no message for: to stop before the payout, what a part payment keeps (D3 §1). */
  takesRequests: boolean
}

const rules: Record<ChannelName, ChannelRules> = {
  NETWORK: {
    choiceSubmits: false,
    takesGrievances: true,
    payments: ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'],
    lenderSaysMissed: true,
    tellsAccount: false,
    exitIsPriced: false,
    takesRequests: false,
  },
  PARTNER: {
    choiceSubmits: true,
    takesGrievances: false,
    payments: ['PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'],
    lenderSaysMissed: false,
    tellsAccount: true,
    exitIsPriced: true,
    takesRequests: true,
  },
}

/** The rules for an offer, and for its loan. */
export const rulesOf = ({ channel }: { channel: ChannelName }): ChannelRules => rules[channel]
