// The registry's checks of a subscriber: a page with our signature, and a decrypted challenge (FIS12 §6.2, v1.0).

import { invalid } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { answer, anyone } from '@lendloom/http/server'
import { type Context, route } from '#platform/context.ts'
import { identityOf } from '#platform/lenders/network/own-identity.ts'
import { openChallenge, verificationPage } from '#platform/lenders/network/subscribe.ts'

export const siteVerification = route({
  method: 'GET',
  path: '/ondc-site-verification.html',
  section: 'FIS12 §6.2',
  summary: 'Proves to the registry that this host is ours',
  auth: anyone,
  hidden: true,
  handle: (_, ctx: Context) => answer(200, verificationPage(ctx), { 'content-type': 'text/html; charset=utf-8' }),
})

const Challenge = Type.Object({
  subscriber_id: Type.Optional(Type.String()),
  challenge: Type.String({ minLength: 1, maxLength: 4096 }),
})

export const onSubscribe = route({
  method: 'POST',
  path: '/ondc/on_subscribe',
  section: 'FIS12 §6.2',
  summary: "Opens the registry's challenge",
  auth: anyone,
  body: Challenge,
  hidden: true,
  async handle({ body: { subscriber_id, challenge } }, ctx: Context) {
    const { id } = identityOf(ctx.config)
    if (subscriber_id !== undefined && subscriber_id !== id)
      throw invalid({ path: 'subscriber_id', message: `must be ${id}` })
    return { answer: await openChallenge(ctx, challenge) }
  },
})
