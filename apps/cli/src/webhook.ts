// `lendloom webhook …`: endpoints for an application's lifecycle updates, deliveries, and resending (D1 §6).

import type { CommandTree } from './command.ts'
import { operationsOf } from './console/commands.ts'
import { checkSignature } from './webhook/check-signature.ts'
import { listen } from './webhook/listen.ts'
import { replays } from './webhook/replays.ts'
import { alerts } from './webhook-alerts.ts'

export const webhook: CommandTree = {
  name: 'webhook',
  summary: 'webhook endpoints and deliveries: health, deliveries, replays, alerts',
  commands: [...operationsOf('webhook'), listen, replays, checkSignature, alerts],
}
