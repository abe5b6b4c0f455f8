// States and kinds of mail, as plain lists that browsers load too.

/** QUEUED until the mail server has taken it (SENT), or has refused it for good or for too long (FAILED). */
export const mailStates = ['QUEUED', 'SENT', 'FAILED'] as const
export type MailState = (typeof mailStates)[number]

/** What a mail is about. */
export const mailKinds = ['complaint', 'invitation', 'webhook-alert', 'report', 'sign-in', 'audit-head'] as const
export type MailKind = (typeof mailKinds)[number]
