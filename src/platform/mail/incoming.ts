// What a module that reads mail implements.
import type { TxContext } from '#platform/context.ts'
import type { HandleMail } from './incoming-mail.ts'

export type { IncomingMail } from './incoming-mail.ts'

/** Handed in by `mail-handler.ts`. */
export type MailHandler = HandleMail<TxContext>
