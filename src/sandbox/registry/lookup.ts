// POST /registry/v2.0/lookup: who is on the network, told to those who are on it (FIS12 §6.1).
import { nack } from '#contract/network/context.ts'
import { readJson } from '#kit/http/body.ts'
import { parse, type Static, Type } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { route } from '#sandbox/core/context.ts'
import { participantToWire } from './participant.ts'
import { findParticipants } from './store.ts'
import { verifySender } from './verify-sender.ts'

const Lookup = Type.Object({
  subscriber_id: Type.Optional(Type.String()),
  ukId: Type.Optional(Type.String()),
  domain: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
})

export const lookup = route({
  method: 'POST',
  path: '/registry/v2.0/lookup',
  section: 'FIS12 §6.1',
  summary: 'Finds participants by at least two facts; the request is signed',
  accepts: 'raw',
  async handle({ raw, headers, at }, { db }) {
    const sender = await verifySender(db, { raw, header: headers.authorization, at })
    if ('fault' in sender)
      return answer(401, nack({ code: '1020', message: `the authorization is not valid: ${sender.fault}` }))
    const facts = criteria(parse(Lookup, readJson(raw)))
    if (Object.values(facts).filter((fact) => fact !== undefined).length < 2)
      return answer(400, nack({ code: '400', message: 'at least two facts are needed' }))
    return (await findParticipants(db, facts)).map(participantToWire)
  },
})

const criteria = ({ subscriber_id, ukId, ...rest }: Static<typeof Lookup>) => ({
  ...rest,
  ...(subscriber_id !== undefined && { subscriberId: subscriber_id }),
  ...(ukId !== undefined && { uniqueKeyId: ukId }),
})
