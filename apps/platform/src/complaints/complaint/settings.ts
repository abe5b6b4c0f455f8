// Settings of complaints: deadlines and the nodal officer.
import { number, text } from '@lendloom/foundation/config'
import { officerGroup } from '#platform/complaints/grievance/settings.ts'

export const complaintSettings = {
  NODAL_OFFICER: officerGroup('The nodal officer, who receives escalated complaints', 'NODAL'),
  NODAL_OFFICER_NAME: text('Name of the nodal officer, who receives escalated complaints', 'Arvind Menon'),
  NODAL_OFFICER_PHONE: text("The nodal officer's telephone number", '022-40007002'),
  NODAL_OFFICER_EMAIL: text("The nodal officer's email address", 'nodal@lendloom.example'),
  COMPLAINT_FIRST_ANSWER_DAYS: number('Days until the first answer to a complaint is due', 3, 1, 30),
  COMPLAINT_RESOLUTION_DAYS: number(
    'Days until the resolution of a complaint is due. The nodal officer receives an overdue complaint. The regulator allows 30',
    15,
    1,
    30,
  ),
  COMPLAINT_REOPEN_DAYS: number('Days during which the borrower may reopen a resolved complaint', 30, 1, 365),
  COMPLAINT_CLOSE_DAYS: number(
    'Days after which a resolved complaint is closed when the borrower does not respond',
    7,
    1,
    90,
  ),
}
