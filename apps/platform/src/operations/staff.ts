// What the command line may do with people of the console and the audit log.
export { noteReasonedAct, noteStaffAct, type VerifiedChain, verifyAll, verifyChain } from '#platform/people/audit.ts'
export { commandLineAuthorization, type SignedRequest } from '#platform/people/authenticate-command-line.ts'
export { addPerson, resetSecondFactor, setNewPassword, unlinkAllOpenId } from '#platform/people/manage-people.ts'
export { emailDigest, emailFrom, platformTenant, roleFor } from '#platform/people/person.ts'
export { findByEmail, type PersonRow } from '#platform/people/store.ts'
