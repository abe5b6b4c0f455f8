// What is shown where there is nothing to do: a link that is not known, or whose turn is over or has not come.

import { html } from '#kit/http/markup.ts'
import type { Answer } from '#kit/http/server.ts'
import { htmlAnswer } from '#sandbox/core/page.ts'
import { type Policy, policies } from '#sandbox/lender/core/policy.ts'
import { framed } from './layout.ts'

export function closedPage(policy: Policy = policies[0], status = 404): Answer {
  const body = html`<p>This link is not known, or its time has passed. Please go back to where you came from and open it again.</p>`
  return htmlAnswer(framed({ title: 'Nothing to do here', policy, body }), status)
}
