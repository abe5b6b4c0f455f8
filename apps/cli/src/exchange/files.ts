// `lendloom exchange files` and `resend-file`: files that the lending partner has not stored, and their retries.

import type { PartnerFile, PartnerFiles } from '@lendloom/wire/console/partner-events'
import { consoleCommand } from '#cli/console/ask.ts'
import { idOf, pageOptions, resultTable } from '#cli/console/words.ts'

export const files = consoleCommand({
  name: 'exchange files',
  summary: 'list files that the lending partner has not stored: pending or rejected',
  usage: '[--after <cursor>] [--limit <number>]',
  options: pageOptions,
  route: 'GET /partner/files',
  input: ({ options: { after, limit } }) => ({ query: { after, limit } }),
  text({ items, next }: PartnerFiles) {
    return resultTable(
      items,
      [
        { head: 'FILE', of: ({ documentReferenceId }) => documentReferenceId },
        { head: 'CASE', of: ({ caseRef }) => caseRef },
        { head: 'TYPE', of: ({ documentType }) => documentType },
        { head: 'STATE', of: ({ state }) => state },
        { head: 'SINCE', of: ({ createdAt }) => createdAt },
        { head: 'REASON', of: ({ refusedBecause }) => refusedBecause },
      ],
      'The partner has stored every file.',
      next,
    )
  },
})

export const resendFile = consoleCommand({
  name: 'exchange resend-file',
  summary: 'upload a rejected file again, unchanged, once the reason is resolved',
  usage: '<documentReferenceID>',
  options: {},
  route: 'POST /partner/files/{documentReferenceId}/resend',
  input: ({ args }) => ({ params: { documentReferenceId: idOf(args, 'the reference of the file') } }),
  text: ({ documentType, caseRef }: PartnerFile) => `${documentType} of case ${caseRef} will be uploaded again.`,
})
