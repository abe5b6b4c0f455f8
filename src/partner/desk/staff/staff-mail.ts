// Mails to people of the staff.
import { doubling } from '#kit/messaging/schedule.ts'

/** When one is tried again that the mail server did not take. */
export const staffMailSchedule = doubling(30, 900)
