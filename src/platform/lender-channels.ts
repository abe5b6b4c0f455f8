// The channels that this platform reaches lenders by.
import { partnerChannel } from '#platform/exchange/channel.ts'
import type { ChannelName, LenderChannel } from '#platform/lender/channel.ts'
import { networkChannel } from '#platform/network/channel.ts'

export const lenderChannels: Record<ChannelName, LenderChannel> = { NETWORK: networkChannel, PARTNER: partnerChannel }

/** All channels, for what concerns the lenders of a journey together. */
export const everyChannel: LenderChannel[] = Object.values(lenderChannels)
