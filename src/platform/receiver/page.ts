// The few pages that a borrower of the partner sees here: a word, a form, and nothing from anywhere else.

import type { Html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import type { Answer } from '#kit/http/server.ts'
import type { Reader } from '#platform/page-text/page-text.ts'

interface PageOptions {
  again?: boolean
  status?: number
  /** `anywhere` when its form leads to another site. */
  formAction?: 'self' | 'anywhere'
}

/** A page with a heading and text; `again` reloads it after two seconds. */
export const page = (
  { language }: Reader,
  title: string,
  body: string | Html,
  { again = false, status = 200, formAction = 'self' }: PageOptions = {},
): Answer =>
  plainPage({
    language,
    title,
    status,
    formAction,
    body,
    ...(again && { refreshSeconds: 2 }),
  })
