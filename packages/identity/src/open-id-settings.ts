// Settings of the OpenID provider for sign-in.

import { type Config, flag, type Setting, secret, text } from '@lendloom/foundation/config'
import { type OpenId, openId } from '@lendloom/http/open-id-connect'

const issuer: Setting<string> = {
  about:
    'Issuer URL of the OpenID provider by which people may sign in to the console and at the desk: https, or http in a sandbox; none without a provider',
  fallback: 'none',
  read(value) {
    if (value !== 'none' && !/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
      throw new Error('must be a URL, or none')
    return value
  },
}

const domains: Setting<string[]> = {
  about: 'E-mail domains whose people the OpenID provider may identify, separated by commas; * for every domain',
  fallback: '',
  read(value) {
    const all = value.split(',').flatMap((each) => each.trim().toLowerCase() || [])
    const wrong = all.find((each) => each !== '*' && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(each))
    if (wrong !== undefined) throw new Error(`must be domains such as lend.example, or *, not "${wrong}"`)
    return all
  },
}

export const openIdSettings = {
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: text('Our client id at the OpenID provider', ''),
  OPENID_CLIENT_SECRET: secret('Our client secret at the OpenID provider; empty for a client without a secret', ''),
  OPENID_NAME: text('Name of the OpenID provider on the button "Sign in with …"', 'your organization'),
  OPENID_DOMAINS: domains,
  OPENID_REPLACES_SECOND_FACTOR: flag(
    'Whether a person whose second factor is on signs in by the OpenID provider without a code',
    'off',
  ),
}

type Settings = Config<typeof openIdSettings> & { SANDBOX: boolean }

/** Returns the configured provider, which redirects to `returnUrl`; null when none is configured. */
export function openIdOf(config: Settings, returnUrl: string): OpenId | null {
  const { OPENID_ISSUER, OPENID_CLIENT_ID: clientId, OPENID_CLIENT_SECRET: clientSecret, SANDBOX } = config
  if (OPENID_ISSUER === 'none') return null
  return openId({ issuer: OPENID_ISSUER, clientId, clientSecret, returnUrl, allowsHttp: SANDBOX })
}

/** Returns the missing or unsafe settings of the provider. */
export function openIdFaults(config: Partial<Settings>): string[] {
  const { OPENID_ISSUER = 'none', OPENID_CLIENT_ID, OPENID_DOMAINS, SANDBOX } = config
  if (OPENID_ISSUER === 'none') return []
  return [
    ...(OPENID_CLIENT_ID === '' ? ['OPENID_CLIENT_ID must be set when OPENID_ISSUER is set'] : []),
    ...(OPENID_DOMAINS?.length === 0 ? ['OPENID_DOMAINS must be set when OPENID_ISSUER is set'] : []),
    ...(SANDBOX === false && !OPENID_ISSUER.startsWith('https:')
      ? ['OPENID_ISSUER must be https outside the sandbox']
      : []),
  ]
}
