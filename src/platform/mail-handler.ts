// Who reads the mail that comes in; `program.ts` hands it to the rest in the context.
import { receiveComplaintMail } from '#platform/complaint/receive-mail.ts'
import type { MailHandler } from '#platform/mail/incoming.ts'

/** Mail to the grievance address opens complaints, or is added to them. */
export const mailHandler: MailHandler = receiveComplaintMail
