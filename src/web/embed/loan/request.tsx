// Written requests to the lender: the chunk is loaded when they are possible, and nothing waits for it.

import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { here } from '../page/here.ts'

const requests = chunkOf('requests', () => files().requests)

export function Requests() {
  if (here.view.value.requests.length === 0) return null
  return <Fetched quiet chunk={requests} draw={() => here.requests && <here.requests />} />
}
