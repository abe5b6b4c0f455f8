// Starts Scalar on the reference page with our settings. What the reader types stays in the memory of this page.
const main = document.querySelector('#reference')
const { documentUrl, maySend } = JSON.parse(main.dataset.settings)

/** The console's theme applies here too; without a choice, that of the browser. */
function chosenTheme() {
  try {
    return localStorage.getItem('console-theme') ?? ''
  } catch {
    return ''
  }
}
const theme = chosenTheme()
document.documentElement.dataset.theme = theme
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)

const settings = {
  url: documentUrl,
  theme: 'none',
  forceDarkModeState: isDark ? 'dark' : 'light',
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  hideTestRequestButton: !maySend,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    c: true,
    clojure: true,
    csharp: true,
    dart: true,
    fsharp: true,
    http: true,
    objc: true,
    ocaml: true,
    powershell: true,
    r: true,
    rust: true,
    swift: true,
  },
  authentication: { preferredSecurityScheme: maySend ? 'apiKey' : undefined },
  // The page is also served where the address of the document is not that of this program.
  ...(maySend && { servers: [{ url: location.origin }] }),
}
const { createApiReference } = window.Scalar
const reference = createApiReference('#reference', settings)

// A page of this origin that opened the reference may send an API key.
addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || source !== opener || typeof data?.apiKey !== 'string') return
  reference.updateConfiguration({
    ...settings,
    authentication: {
      preferredSecurityScheme: 'apiKey',
      securitySchemes: { apiKey: { token: data.apiKey } },
    },
  })
})
opener?.postMessage('ready', location.origin)
document.documentElement.classList.add('scripted')
