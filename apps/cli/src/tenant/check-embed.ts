// `lendloom tenant check-embed`: checks whether a page can embed the hosted page.

import type { Static } from '@lendloom/foundation/schema'
import type { OriginCheck } from '@lendloom/wire/console/developers'
import type { EmbedFinding } from '@lendloom/wire/console/lists'
import { requireArgument, requireOption, table } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { tenantQuery } from '#cli/console/words.ts'

const options = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the application' },
  application: { type: 'string', value: 'applicationId', about: 'the application' },
} as const

/** The requirement that each check verifies. */
const requirements: Record<EmbedFinding, string> = {
  allowed: 'its origin may embed the application (lendloom tenant origins)',
  secure: 'its URL is https, or http on this machine for tests',
  reachable: 'it responds',
  'frame-policy': 'its Content-Security-Policy allows the frame',
  permissions: 'its Permissions-Policy gives the frame the camera and microphone',
  'embedder-policy': 'its embedder policy is known',
}

export const checkEmbed = consoleCommand({
  name: 'tenant check-embed',
  summary: 'check whether a page can embed the hosted page of an application',
  usage: '<url> --tenant <tenantId> --application <applicationId>',
  options,
  route: 'POST /developers/applications/{applicationId}/embed-check',
  input: ({ args, options }) => ({
    params: { applicationId: requireOption(options.application, 'application') },
    query: tenantQuery(options),
    body: { url: requireArgument(args, 'the address of the page') },
  }),
  text({ findings }: Static<typeof OriginCheck>) {
    return table(findings, [
      { head: '', of: ({ isFine }) => (isFine ? 'yes' : 'NO') },
      { head: 'REQUIREMENT', of: ({ code }) => requirements[code] },
      { head: 'FOUND', of: ({ about }) => about },
    ])
  },
})
