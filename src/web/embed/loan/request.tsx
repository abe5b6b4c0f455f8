// Written requests to the lender. Their chunk is fetched in the background if requests are possible.

import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { page } from '../page/page.ts'

const requests = chunkOf('requests', () => files().requests)

export function Requests() {
  if (page.view.value.requests.length === 0) return null
  return <Fetched optional chunk={requests} render={() => page.requests && <page.requests />} />
}
