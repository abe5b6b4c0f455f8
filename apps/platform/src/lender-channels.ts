// The channels to lenders.
import { partnerChannel } from '#platform/exchange/channel.ts'
import type { ChannelName, LenderChannel } from '#platform/lender/channel.ts'
import { networkChannel } from '#platform/network/channel.ts'

export const lenderChannels: Record<ChannelName, LenderChannel> = { NETWORK: networkChannel, PARTNER: partnerChannel }

/** All channels, for actions that concern every lender of a journey. */
export const allLenderChannels: LenderChannel[] = Object.values(lenderChannels)
