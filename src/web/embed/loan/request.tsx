// Where the lender can be asked for something in writing: the chunk for it is fetched once it can, and nothing waits for it.

import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { here } from '../page/here.ts'

const requests = chunkOf('requests', () => files().requests)

export function Requests() {
  if (here.view.value.requests.length === 0) return null
  return <Fetched quiet chunk={requests} draw={() => here.requests && <here.requests />} />
}
