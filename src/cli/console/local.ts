// The platform at PUBLIC_URL or of the installation on this machine, which accepts requests that its keys sign.

import { CannotRun } from '#cli/command.ts'
import { sealOf } from '#cli/database.ts'
import { dataDirectory, runOf } from '#cli/installation.ts'
import { commandLineAuthorization, type SignedRequest } from '#platform/staff/command-line.ts'

/** The address of the platform, and the headers of a request. Throws `CannotRun` if no platform is known. */
export function localPlatform(
  env: NodeJS.ProcessEnv,
): [url: string, headers: (request: SignedRequest) => Record<string, string>] {
  const directory = dataDirectory(env)
  const platformUrl = env.PUBLIC_URL || runOf(directory)?.platform.url
  if (!platformUrl)
    throw new CannotRun(
      `no platform: run lendloom login <url>, set PUBLIC_URL, or start Lendloom here in another window (npm start); nothing runs on ${directory}`,
    )
  const seal = sealOf(env)
  return [platformUrl, (request) => ({ authorization: commandLineAuthorization(seal, request, new Date()) })]
}
