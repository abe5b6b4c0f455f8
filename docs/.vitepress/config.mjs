// `npm run docs:site` builds the site; its configuration is in tools/docs/site. Node loads it, because the bundler of
// VitePress does not know our compiler options.
const { href } = new URL('../../tools/docs/site/site-config.ts', import.meta.url)

export default async () => (await import(href)).siteConfig()
