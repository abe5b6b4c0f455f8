// The look-up of the bank and branch of an IFSC while the borrower types. Nothing is stored.

import { Closed, Type } from '@lendloom/foundation/schema'
import { EmbedBankBranch } from '@lendloom/wire/hosted/embed-lender'
import { ifscPattern } from '@lendloom/wire/identifier'
import { route } from '#platform/context.ts'
import { embedSession } from '#platform/integrators/access/embed-session.ts'

export const bankBranch = route({
  method: 'GET',
  path: '/api/embed/ifsc/{ifsc}',
  section: 'D1 §1',
  summary: 'Look up the bank and branch of an IFSC',
  auth: embedSession,
  hidden: true,
  params: Closed({ ifsc: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC' }) }),
  reply: { 200: EmbedBankBranch },
  handle: ({ params }, { branches }) => branches.find(params.ifsc),
})
