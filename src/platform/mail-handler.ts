// Who reads the mail that comes in; `main.ts` hands it to the rest in the context.
import type { MailHandler } from '#platform/mail/incoming.ts'

/** Null: every mail is kept and set aside, where operators see it. */
export const mailHandler: MailHandler | null = null
