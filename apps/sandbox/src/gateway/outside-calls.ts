// HTTP calls to hosts outside the sandbox; null unless the host answers 200.

import { jsonIn } from '@lendloom/foundation/json'
import { call, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import type { Outside } from '#sandbox/core/context.ts'

export const outside: Outside = {
  async get(url) {
    const answer = await answerIfOk(() => call({ method: 'GET', url, maxBytes: 64 * 1024 }))
    return answer?.body.toString('utf8') ?? null
  },
  async postJson(url, body) {
    const headers = { 'content-type': 'application/json' }
    const answer = await answerIfOk(() =>
      call({ method: 'POST', url, headers, body: JSON.stringify(body), maxBytes: 64 * 1024 }),
    )
    return answer && jsonIn(answer.body)
  },
}

async function answerIfOk(attempt: () => Promise<HttpAnswer>): Promise<HttpAnswer | null> {
  try {
    const answer = await attempt()
    return answer.status === 200 ? answer : null
  } catch (error) {
    if (error instanceof UnreachableError) return null
    throw error
  }
}
