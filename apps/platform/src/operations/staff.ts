// What the command line may do with people of the console and the audit log.
export { noteReasonedAct, noteStaffAct, type VerifiedChain, verifyAll, verifyChain } from '#platform/staff/audit.ts'
export { commandLineAuthorization, type SignedRequest } from '#platform/staff/command-line.ts'
export { addPerson, resetSecondFactor, setNewPassword, unlinkAllOpenId } from '#platform/staff/people.ts'
export { emailDigest, emailFrom, platformTenant, roleFor } from '#platform/staff/person.ts'
export { findByEmail, type PersonRow } from '#platform/staff/store.ts'
