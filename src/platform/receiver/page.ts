// The pages for a partner's borrower: a text or a form, without external resources.

import type { Html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import type { Answer } from '#kit/http/server.ts'
import type { Reader } from '#platform/page-text/page-text.ts'

interface PageOptions {
  reloads?: boolean
  status?: number
  /** `anywhere` when the form redirects to another site. */
  formAction?: 'self' | 'anywhere'
}

/** A page with a heading and text; `reloads` repeats the request after two seconds. */
export const page = (
  { language }: Reader,
  title: string,
  body: string | Html,
  { reloads = false, status = 200, formAction = 'self' }: PageOptions = {},
): Answer =>
  plainPage({
    language,
    title,
    status,
    formAction,
    body,
    ...(reloads && { refreshSeconds: 2 }),
  })
