// The channels to lenders.

import { networkChannel } from '#platform/lenders/network/channel.ts'
import { partnerChannel } from '#platform/lenders/partner/channel.ts'
import type { ChannelName, LenderChannel } from '#platform/lending/lender/channel.ts'

export const lenderChannels: Record<ChannelName, LenderChannel> = { NETWORK: networkChannel, PARTNER: partnerChannel }

/** All channels, for actions that concern every lender of a journey. */
export const allLenderChannels: LenderChannel[] = Object.values(lenderChannels)
