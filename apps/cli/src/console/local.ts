// The platform at PUBLIC_URL or of the installation on this machine, which accepts requests that its keys sign.

import { commandLineAuthorization, type SignedRequest } from '@lendloom/platform/operations/staff'
import { platformUrlOf } from '#cli/contexts.ts'
import { sealOf } from '#cli/database.ts'

/** The address of the platform, and the headers of a request. Throws `CannotRun` if no platform is known. */
export function localPlatform(
  env: NodeJS.ProcessEnv,
): [url: string, headers: (request: SignedRequest) => Record<string, string>] {
  const seal = sealOf(env)
  return [platformUrlOf(env), (request) => ({ authorization: commandLineAuthorization(seal, request, new Date()) })]
}
