// Schemas of the console API: staff sessions, second factors, users, invitations, the audit log.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { uuidPattern } from '@lendloom/foundation/uuid'
import { failureOutcomes, minPasswordLength } from '@lendloom/identity/sign-in-failures'
import { Count, Day, Id, Instant } from '#wire/basic-schemas.ts'
import { mailAddressPattern, visiblePattern } from '#wire/identifier.ts'
import { roles } from './lists.ts'

export type Role = (typeof roles)[number]

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: `^\\s*${mailAddressPattern.slice(1, -1)}\\s*$`,
  'x-says': 'must be an e-mail address',
})
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: visiblePattern,
  'x-says': 'must have 1 to 100 visible characters',
})
/** A typed password of any length, to be compared with the stored one. */
export const TypedPassword = Type.String({ minLength: 1, maxLength: 1024, 'x-says': 'must be a password' })
const NewPassword = Type.String({
  minLength: minPasswordLength,
  maxLength: 1024,
  'x-says': `must have at least ${minPasswordLength} characters`,
})
export const Code = Type.String({
  pattern: '^\\s*(?:\\d{3} ?\\d{3}|[A-Za-z2-7]{5}-?[A-Za-z2-7]{5})\\s*$',
  'x-says': 'must be six digits, or a recovery code',
})
const RoleWord = OneOf(roles)

export const Person = Closed({
  personId: Id,
  email: Type.String(),
  name: Type.String(),
  role: RoleWord,
  tenantId: orNull(Id),
})
export type Person = Static<typeof Person>

/** The tenant of a call: platform staff may select one; without it the call is about the platform. */
export const OfTenant = Closed({ tenantId: Type.Optional(Id) })
export const ListOfTenant = Closed({
  tenantId: Type.Optional(Id),
  after: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.String({ pattern: '^(?:[1-9]\\d?|1\\d\\d|200)$', 'x-says': 'must be 1 to 200' })),
})
/** Failed sign-ins, filtered by outcome. */
export const SignInFailuresQuery = Closed({
  ...ListOfTenant.properties,
  outcome: Type.Optional(OneOf(failureOutcomes)),
})
export const ListQuery = Closed({ after: ListOfTenant.properties.after, limit: ListOfTenant.properties.limit })

export const SignInRequest = Closed({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: TypedPassword,
  code: Type.Optional(Code),
})
export type SignInRequest = Static<typeof SignInRequest>
/** Either the user (the response sets the session cookie), or the missing proof; `next` is the requested page. */
export const SignInReply = Closed({
  person: Type.Optional(Person),
  needs: Type.Optional(Type.Literal('code')),
  next: Type.Optional(Type.String()),
})
export type SignInReply = Static<typeof SignInReply>

/** Ways to sign in besides a password. */
export const SignInWays = Closed({
  /** The label of the OpenID button; null without a provider. */
  openId: orNull(Type.String()),
  /** The origin that passkeys are bound to; null if passkeys are unavailable. */
  passkeyOrigin: orNull(Type.String()),
  /** Whether this is a sandbox, whose passwords are in a file. */
  sandbox: Type.Boolean(),
})
export type SignInWays = Static<typeof SignInWays>
export const OpenIdRequest = Closed({
  /** The next page of the console. */
  next: Type.String({
    maxLength: 500,
    pattern: '^/console(?:[/?][\\w/?&=.%~:+-]*)?$',
    'x-says': 'must be an address of the console',
  }),
})
export const OpenIdReply = Closed({ url: Type.String() })
export type OpenIdReply = Static<typeof OpenIdReply>

/** An account at the OpenID provider for signing in. */
const LinkedAccount = Closed({ linkId: Id, issuer: Type.String(), createdAt: Instant, usedAt: Instant })
export const LinkedAccounts = Closed({ items: Type.Array(LinkedAccount), next: orNull(Type.String()) })
export type LinkedAccounts = Static<typeof LinkedAccounts>
export const LinkedAccountParams = Closed({ linkId: Id })

export const Me = Closed({
  person: Person,
  tenants: Type.Array(Closed({ tenantId: Id, name: Type.String() })),
  twoFactor: Type.Boolean(),
  sandbox: Type.Boolean(),
})
export type Me = Static<typeof Me>

/** Passkeys that the person knows. Others are removed, because a thief may have added them. */
const KeptPasskeys = Type.Optional(Type.Array(Id, { maxItems: 100 }))

export const PasswordRequest = Closed({ current: TypedPassword, next: NewPassword, keepPasskeyIds: KeptPasskeys })
export type PasswordRequest = Static<typeof PasswordRequest>

/** Required to add a second factor: a session is not enough. */
export const PresentPasswordRequest = Closed({ password: TypedPassword })

/** `secret` in base32, for typing; `uri`, for a QR code. */
export const NewSecondFactor = Closed({ secret: Type.String(), uri: Type.String() })
export type NewSecondFactor = Static<typeof NewSecondFactor>
export const CodeRequest = Closed({ code: Code })
export type CodeRequest = Static<typeof CodeRequest>
/** The first code of a new secret. */
export const FirstCodeRequest = Closed({ code: Code, keepPasskeyIds: KeptPasskeys })
export type FirstCodeRequest = Static<typeof FirstCodeRequest>
/** Shown once; each replaces a code once. */
export const RecoveryCodes = Closed({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Session = Closed({
  sessionId: Id,
  createdAt: Instant,
  usedAt: Instant,
  expiresAt: Instant,
  network: Type.String(),
  browser: Type.String(),
  isCurrent: Type.Boolean(),
  /** Of a command line: the session in which the person allowed it, and with which it ends. */
  allowedBySessionId: orNull(Id),
})
export type Session = Static<typeof Session>
export const Sessions = Closed({ items: Type.Array(Session), next: orNull(Type.String()) })
export type Sessions = Static<typeof Sessions>
export const SessionParams = Closed({ sessionId: Id })

export const Colleague = Closed({
  ...Person.properties,
  twoFactor: Type.Boolean(),
  /** The number of passkeys, each of which signs in without password and code. */
  passkeys: Count,
  /** Whether an account of the OpenID provider signs in as this person. */
  hasLinkedAccount: Type.Boolean(),
  createdAt: Instant,
  lastUsedAt: orNull(Instant),
})
export type Colleague = Static<typeof Colleague>
export const People = Closed({ items: Type.Array(Colleague), next: orNull(Type.String()) })
export type People = Static<typeof People>
export const PersonParams = Closed({ personId: Id })
export const PersonSessionParams = Closed({ personId: Id, sessionId: Id })
export const RoleRequest = Closed({ role: RoleWord })
export type RoleRequest = Static<typeof RoleRequest>

export const InvitationRequest = Closed({ email: Email, name: Name, role: RoleWord, tenantId: Type.Optional(Id) })
export type InvitationRequest = Static<typeof InvitationRequest>
export const Invitation = Closed({
  invitationId: Id,
  email: Type.String(),
  name: Type.String(),
  role: RoleWord,
  tenantId: orNull(Id),
  createdAt: Instant,
  expiresAt: Instant,
})
export type Invitation = Static<typeof Invitation>
/** The link is included only when no mail was sent: the inviter passes it on. */
export const NewInvitation = Closed({ ...Invitation.properties, mailed: Type.Boolean(), link: orNull(Type.String()) })
export type NewInvitation = Static<typeof NewInvitation>
export const Invitations = Closed({ items: Type.Array(Invitation), next: orNull(Type.String()) })
export type Invitations = Static<typeof Invitations>
export const InvitationParams = Closed({ invitationId: Id })
const InvitationToken = Type.String({ minLength: 1, maxLength: 200 })
export const InvitationViewRequest = Closed({ token: InvitationToken })
export const InvitationView = Closed({
  email: Type.String(),
  name: Type.String(),
  role: RoleWord,
  tenant: orNull(Type.String()),
  inviter: orNull(Type.String()),
})
export type InvitationView = Static<typeof InvitationView>
export const AcceptRequest = Closed({
  token: InvitationToken,
  name: Name,
  password: NewPassword,
})
export type AcceptRequest = Static<typeof AcceptRequest>
export const AcceptReply = Closed({ person: Person })

export const SignInFailure = Closed({
  failureId: Id,
  at: Instant,
  /** `LIMITED` when the password was not checked. */
  outcome: OneOf(failureOutcomes),
  /** Null for an unknown address. */
  personId: orNull(Id),
  personName: orNull(Type.String()),
  /** As typed, or as the OpenID provider reported it; empty without one. */
  email: Type.String(),
  network: Type.String(),
})
export type SignInFailure = Static<typeof SignInFailure>
/** The newest first. */
export const SignInFailures = Closed({ items: Type.Array(SignInFailure), next: orNull(Type.String()) })
export type SignInFailures = Static<typeof SignInFailures>

/** Filters of the audit log; both days are inclusive, in Indian time. */
const auditFilters = {
  tenantId: Type.Optional(Id),
  person: Type.Optional(
    Type.String({
      pattern: `^(?:command-line|${uuidPattern.slice(1, -1)})$`,
      'x-says': 'must be an id or command-line',
    }),
  ),
  act: Type.Optional(Type.String({ pattern: '^[A-Z_]{1,60}$', 'x-says': 'must be an act such as COMPLAINT_ANSWERED' })),
  subject: Type.Optional(Type.String({ maxLength: 200 })),
  from: Type.Optional(Day),
  until: Type.Optional(Day),
}
export const AuditQuery = Closed({ ...ListOfTenant.properties, ...auditFilters })
export const AuditFileQuery = Closed(auditFilters)
export const AuditActsQuery = Closed({ tenantId: Type.Optional(Id) })
/** In alphabetical order. */
export const AuditActs = Closed({ items: Type.Array(Type.String()), next: Type.Null() })
export type AuditActs = Static<typeof AuditActs>

export const AuditEntry = Closed({
  sequence: Type.Integer(),
  at: Instant,
  /** Null for the command line; the name is null when it is no longer known. */
  personId: orNull(Id),
  personName: orNull(Type.String()),
  act: Type.String(),
  subject: orNull(Type.String()),
  subjectName: orNull(Type.String()),
  detail: Type.Unsafe<Record<string, string | number | boolean>>({ type: 'object', additionalProperties: true }),
  /** SHA-256 of the previous digest and this entry, in hexadecimal. */
  digest: Type.String(),
})
export type AuditEntry = Static<typeof AuditEntry>
/** The newest first. */
export const AuditEntries = Closed({ items: Type.Array(AuditEntry), next: orNull(Type.String()) })
export type AuditEntries = Static<typeof AuditEntries>
