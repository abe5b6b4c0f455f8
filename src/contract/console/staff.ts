// What the console and the platform say to each other about people: who is signed in, their sessions, who may do what.
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'

/** Of the platform: viewer, operator, grievance officer, admin. Of a tenant: viewer, developer, support, admin. */
export const roles = ['viewer', 'operator', 'grievance-officer', 'admin', 'developer', 'support'] as const
export const Role = OneOf(roles)
export type Role = Static<typeof Role>

const Instant = Type.String({ format: 'date-time' })
const Code = Type.String({ minLength: 6, maxLength: 32 })

export const SignInRequest = Closed({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
  /** Of the second factor, or a recovery code. */
  code: Type.Optional(Code),
})
export type SignInRequest = Static<typeof SignInRequest>

export const SignedInPerson = Closed({
  personId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Role,
  /** Null for people of the platform. */
  tenantId: Nullable(Type.String()),
})
export type SignedInPerson = Static<typeof SignedInPerson>

/** Either who is signed in now, or that the code of the second factor is needed too. */
export const SignInReply = Type.Union([Closed({ person: SignedInPerson }), Closed({ needs: Type.Literal('code') })])
export type SignInReply = Static<typeof SignInReply>

export const Me = Closed({
  person: SignedInPerson,
  /** Whose data may be looked at: all for people of the platform, their own for a tenant's. */
  tenants: Type.Array(Closed({ tenantId: Type.String(), name: Type.String() })),
  twoFactor: Type.Boolean(),
  sandbox: Type.Boolean(),
})
export type Me = Static<typeof Me>

export const Session = Closed({
  sessionId: Type.String(),
  /** Browser and system, as the browser names them. */
  browser: Type.String(),
  /** The network that it was begun from. */
  address: Type.String(),
  createdAt: Instant,
  lastUsedAt: Instant,
  isCurrent: Type.Boolean(),
})
export type Session = Static<typeof Session>

export const TotpSecret = Closed({
  /** In base32, to be typed into an authenticator app. */
  secret: Type.String(),
  /** `otpauth://…`, which opens such an app. */
  uri: Type.String(),
})
export type TotpSecret = Static<typeof TotpSecret>
export const RecoveryCodes = Closed({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Person = Closed({
  personId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Role,
  tenantId: Nullable(Type.String()),
  twoFactor: Type.Boolean(),
  lastSeenAt: Nullable(Instant),
})
export type Person = Static<typeof Person>

export const Invitation = Closed({
  invitationId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Role,
  expiresAt: Instant,
})
export type Invitation = Static<typeof Invitation>

export const PeopleReply = Closed({ people: Type.Array(Person), invitations: Type.Array(Invitation) })
export type PeopleReply = Static<typeof PeopleReply>

/** `url` where no mail server is configured: whoever invited sends it. */
export const Invited = Closed({ invitationId: Type.String(), url: Nullable(Type.String()) })
export type Invited = Static<typeof Invited>

export const AuditEntry = Closed({
  sequence: Type.Integer(),
  at: Instant,
  /** Null stands for the command line. */
  personName: Nullable(Type.String()),
  act: Type.String(),
  subject: Nullable(Type.String()),
  detail: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
})
export type AuditEntry = Static<typeof AuditEntry>
