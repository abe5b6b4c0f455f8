// The mail server of the sandbox: takes every mail for whomever, and keeps it for the mailbox.

import { uuidv7 } from '#kit/crypto/id.ts'
import { listenForMail, type MailServer } from '#kit/messaging/mail-server.ts'
import { readForDisplay } from '#kit/runtime/mail-read.ts'
import type { Context } from '#sandbox/core/context.ts'
import { headOf } from './mail.ts'
import { insertMail } from './store.ts'

const largestMail = 25 << 20

export type MailboxContext = Pick<Context, 'db' | 'clock' | 'log' | 'seal'> & { mailbox: MailboxSettings }

interface MailboxSettings {
  /** Where the platform takes in mail, as an SMTP URL; none where it does not. */
  platform: string
  /** Whom one writes to there. */
  grievances: string
}

export const takeInMail = (ctx: MailboxContext, host: string, port: number): Promise<MailServer> =>
  listenForMail({
    ...{ host, port, protocol: 'smtp', name: 'mailbox.sandbox.example', maxBytes: largestMail, log: ctx.log },
    isOurs: () => true,
    store: ({ from, to, raw }) => keep(ctx, { from, to, raw, isSent: false }),
  })

interface Kept {
  from: string | null
  to: string[]
  raw: Buffer
  isSent: boolean
}

/** Keeps a mail, received or sent. */
export async function keep({ db, seal, clock }: MailboxContext, { from, to, raw, isSent }: Kept): Promise<void> {
  const at = clock()
  const head = headOf(await readForDisplay(raw), from, to)
  // Its id says when it really came, so that the newest is first however the clock is moved.
  await db.tx((tx) => insertMail(tx, seal, { mailId: uuidv7(), isSent, head, raw, at }))
}
