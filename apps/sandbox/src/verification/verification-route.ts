// Routes of the providers' APIs: each provider accepts only its own credential.

import type { TSchema } from '@lendloom/foundation/schema'
import type { Auth, Route } from '@lendloom/http/server'
import { requireBearer } from '#sandbox/core/bearer.ts'
import { anyParty } from '#sandbox/core/context.ts'
import type { VerificationKind } from './provider.ts'
import type { VerificationContext } from './verification-settings.ts'

const client = (kind: VerificationKind): Auth<VerificationContext, null> => ({
  scheme: kind,
  check: (arrival, { verification }) => requireBearer(arrival, verification.clients[kind].credential),
})

export const clientRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  kind: VerificationKind,
  definition: Omit<Route<VerificationContext, null, B, Q, P>, 'auth' | 'section'>,
): Route<VerificationContext, null, B, Q, P> => ({ ...definition, section: 'D3 §1.1', auth: client(kind) })

/** A route for borrowers, identified by their link. */
export const openRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  definition: Omit<Route<VerificationContext, null, B, Q, P>, 'auth'>,
): Route<VerificationContext, null, B, Q, P> => ({ ...definition, auth: anyParty })
