// Calls to hosts of the outside: a page as text, a JSON answer, or null when there was no good one.

import { call, type HttpAnswer, UnreachableError } from '#kit/http/client.ts'
import { jsonIn } from '#kit/runtime/record.ts'
import type { Outside } from '#sandbox/core/context.ts'

export const outside: Outside = {
  async get(url) {
    const incoming = await reached(() => call({ method: 'GET', url, maxBytes: 64 * 1024 }))
    return incoming?.body.toString('utf8') ?? null
  },
  async postJson(url, body) {
    const headers = { 'content-type': 'application/json' }
    const incoming = await reached(() =>
      call({ method: 'POST', url, headers, body: JSON.stringify(body), maxBytes: 64 * 1024 }),
    )
    return incoming && jsonIn(incoming.body)
  },
}

async function reached(attempt: () => Promise<HttpAnswer>): Promise<HttpAnswer | null> {
  try {
    const incoming = await attempt()
    return incoming.status === 200 ? incoming : null
  } catch (error) {
    if (error instanceof UnreachableError) return null
    throw error
  }
}
