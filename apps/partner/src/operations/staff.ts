// What the command line may do with people of the desk and the audit log.

export { deskLog, deskLogName } from '#partner/desk/audit/store.ts'
export { inviteStaff, linkAddress, resetPassword } from '#partner/desk/staff/password-link/password-link.ts'
export { resetSecondFactor } from '#partner/desk/staff/reset-second-factor.ts'
export { type Actor, changeRoles, removeFromStaff } from '#partner/desk/staff/staff.ts'
export { noteAct } from '#partner/desk/staff/staff-acts.ts'
export { type Role, roles } from '#partner/people/person.ts'
export { listStaff } from '#partner/people/store.ts'
