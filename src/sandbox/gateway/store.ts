// The gateway's table: the searches it took over, as the bytes that were signed.

import type { Run, Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'

export interface Broadcast {
  broadcastId: string
  bapId: string
  transactionId: string
  messageId: string
  authorizationHeader: string
  body: Buffer
  expiresAt: Date
  receivedAt: Date
}

/** Keeps a search; false when the same one was kept before. */
export async function keepBroadcast(tx: Tx, broadcast: Broadcast): Promise<boolean> {
  const fresh = await tx`insert into broadcast ${tx({ ...broadcast })} on conflict do nothing returning broadcast_id`
  return fresh.length > 0
}

export async function broadcastOf(db: Run, broadcastId: string): Promise<Broadcast> {
  const [found] = await db<Broadcast>`
    select broadcast_id, bap_id, transaction_id, message_id, authorization_header, body, expires_at, received_at
    from broadcast where broadcast_id = ${broadcastId}`
  return required(found, `broadcast ${broadcastId}`)
}
