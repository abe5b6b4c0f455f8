// Deadlines and escalation levels of complaints.
import { number, text } from '#kit/runtime/config.ts'

export const complaintSettings = {
  NODAL_OFFICER_NAME: text('To whom complaints are escalated on our side', 'Arvind Menon'),
  NODAL_OFFICER_PHONE: text('Where borrowers reach them by phone', '022-40007002'),
  NODAL_OFFICER_EMAIL: text('And by e-mail', 'nodal@lendloom.example'),
  COMPLAINT_FIRST_ANSWER_DAYS: number('Days until a complaint is to have its first answer', 3, 1, 30),
  COMPLAINT_RESOLUTION_DAYS: number(
    'Days until a complaint is to be resolved; then it is escalated to the nodal officer, and the regulator allows 30 in all',
    15,
    1,
    30,
  ),
  COMPLAINT_REOPEN_DAYS: number(
    'Days for which a complaint that was resolved can be reopened by its borrower',
    30,
    1,
    365,
  ),
  COMPLAINT_CLOSE_DAYS: number(
    'Days after which one that was resolved is closed when the borrower says nothing',
    7,
    1,
    90,
  ),
}
