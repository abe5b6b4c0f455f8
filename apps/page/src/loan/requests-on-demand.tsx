// Receipts, early payments, cancellations and requests to the lender. Their chunk is fetched in the background.

import { chunkOf, Fetched } from '../page/load-chunk.tsx'
import { page } from '../page/page-state.ts'

export const requests = chunkOf('requests', 'requests')

export function Requests() {
  const { status, tracking, requests: possible } = page.view.value
  if (status !== 'DISBURSED' && !tracking && possible.length === 0) return null
  return (
    <Fetched optional={page.inner.value === ''} chunk={requests} render={() => page.requests && <page.requests />} />
  )
}
