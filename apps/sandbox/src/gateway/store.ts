// The gateway's table: broadcast searches, as the signed bytes.

import { required } from '@lendloom/foundation/required'
import type { Run, Tx } from '@lendloom/postgres/sql'

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

/** Stores a search; false when it was stored before. */
export async function storeBroadcast(tx: Tx, broadcast: Broadcast): Promise<boolean> {
  const inserted = await tx`insert into broadcast ${tx({ ...broadcast })} on conflict do nothing returning broadcast_id`
  return inserted.length > 0
}

export async function broadcastOf(db: Run, broadcastId: string): Promise<Broadcast> {
  const [row] = await db<Broadcast>`
    select broadcast_id, bap_id, transaction_id, message_id, authorization_header, body, expires_at, received_at
    from broadcast where broadcast_id = ${broadcastId}`
  return required(row, `broadcast ${broadcastId}`)
}
