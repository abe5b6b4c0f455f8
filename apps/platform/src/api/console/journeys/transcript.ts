// GET /api/console/journeys/{journeyId}/transcript: all network messages of a journey as a file.

import { jsonIn } from '@lendloom/foundation/json'
import { maskedText } from '@lendloom/foundation/mask'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { answer } from '@lendloom/http/server'
import { JourneyParams } from '@lendloom/wire/console/journeys'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consolePrefix } from '#platform/api/console/console-route.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { route } from '#platform/context.ts'
import { transcriptOf } from '#platform/lenders/network/transcript.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { requireJourneyKey } from './journey-key.ts'

const transcript = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/journeys/{journeyId}/transcript`,
  summary: 'Export the network messages of a journey as JSON, with masked personal data',
  params: JourneyParams,
  query: OfTenant,
  async handle(call, ctx) {
    const { who, at } = call
    const { tenantId, journeyId } = await requireJourneyKey(ctx, who, call)
    await ctx.db.tx((tx) =>
      noteStaffAct({ tx, at }, who, { act: 'TRANSCRIPT_EXPORTED', tenantId, subject: journeyId, detail: {} }),
    )
    const messages = await transcriptOf(ctx, tenantId, journeyId)
    // Without headers, whose signatures nobody needs who may not see the bodies.
    const masked = messages.map(({ headers: _, body, answer: reply, ...message }) => ({
      ...message,
      body: maskedBody(body),
      answer: reply && { ...reply, body: maskedBody(reply.body) },
    }))
    return answer(200, JSON.stringify(masked, null, 2), {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="transcript-${journeyId}.json"`,
    })
  },
})

/** A body as JSON with personal data masked; as masked text if it is none. */
function maskedBody(body: string): unknown {
  if (body === '') return null
  const document = jsonIn(body)
  return document === undefined ? maskedText(body) : maskedDocument(document)
}

export const transcriptRoutes = [transcript]
