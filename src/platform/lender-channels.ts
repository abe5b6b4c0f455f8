// The channels that this platform reaches lenders by; `program.ts` hands them to everything else in the context.
import type { Context } from '#platform/context.ts'
import { partnerChannel } from '#platform/exchange/channel.ts'
import type { LenderChannels } from '#platform/lender/channel.ts'
import { networkChannel } from '#platform/network/channel.ts'

export const lenderChannels: LenderChannels<Context> = { NETWORK: networkChannel, PARTNER: partnerChannel }
