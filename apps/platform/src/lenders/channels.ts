// The channels to lenders, which a program puts into its context.

import type { Context } from '#platform/context.ts'
import { networkChannel } from './network/channel.ts'
import { partnerChannel } from './partner/channel.ts'

export const lenderChannels: Context['channels'] = { NETWORK: networkChannel, PARTNER: partnerChannel }
