// An OpenID provider for tests: the certified implementation `oidc-provider` over real HTTP, with users signed in without a page.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after } from 'node:test'
import { Provider } from 'oidc-provider'

interface ProviderUser {
  subject: string
  email?: string
  isVerified?: boolean
  methods?: string[]
}

export interface OpenIdProviderForTests {
  issuer: string
  /** The user at the browser; null if they decline. */
  user: ProviderUser | null
  /** Replaces the sent nonce in the ID token. */
  nonce: string | null
  /** Whether an authorization code works more than once, as at a careless provider. */
  acceptsCodesAgain: boolean
  stop(): Promise<void>
  start(): Promise<void>
}

export const client = { id: 'lendloom', secret: 'a secret of the console' }

/** Starts a provider at that local address; it stops when the test file ends. */
export async function openIdProvider(issuer: string, returnUrl: string): Promise<OpenIdProviderForTests> {
  const state: OpenIdProviderForTests = {
    issuer,
    user: null,
    nonce: null,
    acceptsCodesAgain: false,
    stop,
    start,
  }
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [returnUrl] }],
    pkce: { required: () => true },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        ...(state.user?.email !== undefined && {
          email: state.user.email,
          email_verified: state.user.isVerified ?? true,
        }),
      }),
    }),
  })
  const { consume } = provider.AuthorizationCode.prototype
  provider.AuthorizationCode.prototype.consume = async function () {
    if (!state.acceptsCodesAgain) await consume.call(this)
  }
  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/interaction/')) await interact(provider, state, ctx)
    else {
      if (ctx.path === '/auth' && state.nonce !== null) ctx.query = { ...ctx.query, nonce: state.nonce }
      await next()
    }
  })
  let server: Server | undefined
  async function start(): Promise<void> {
    server = createServer(provider.callback()).listen(Number(new URL(issuer).port), '127.0.0.1')
    await once(server, 'listening')
  }
  async function stop(): Promise<void> {
    server?.closeAllConnections()
    server?.close()
  }
  await start()
  after(stop)
  return state
}

type Middleware = Parameters<Provider['use']>[0]
type Ctx = Parameters<Middleware>[0]

/** Signs in the user at the browser and grants the requested scopes, or declines. */
async function interact(provider: Provider, { user }: OpenIdProviderForTests, { req, res }: Ctx) {
  if (!user) {
    const declined = { error: 'access_denied', error_description: '<script>alert(1)</script>' }
    return provider.interactionFinished(req, res, declined, { mergeWithLastSubmission: false })
  }
  const grant = new provider.Grant({ accountId: user.subject, clientId: client.id })
  grant.addOIDCScope('openid email')
  const consent = { grantId: await grant.save() }
  const login = { accountId: user.subject, ...(user.methods && { amr: user.methods }) }
  await provider.interactionFinished(req, res, { login, consent }, { mergeWithLastSubmission: false })
}
