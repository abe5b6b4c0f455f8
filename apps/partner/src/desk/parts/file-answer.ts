// The desk's file downloads.

import type { Readable } from 'node:stream'
import { type Answer, answer } from '@lendloom/http/server'

export const csvType = 'text/csv; charset=utf-8'
export const pdfType = 'application/pdf'

/** Returns the response for a download with this file name, which caches must not store. */
export const fileAnswer = (name: string, type: string, body: string | Buffer | Readable): Answer =>
  answer(200, body, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
