// What an answer to a webhook means: for the console, the mails of alerts and the command line.

interface FailureWords {
  pattern: RegExp
  /** Empty for an HTTP status, which is its own short text. */
  short: string
  /** Continues `the endpoint …`; `$&` is the answer. */
  cause: string
  advice: string
  isUrlDoubtful?: true
}

const http = (pattern: RegExp, cause: string, advice: string) => ({ pattern, short: '', cause, advice })

const failures: FailureWords[] = [
  http(/^(401|403)$/, 'answers $&: it may not accept our signature', 'Check the signature of a rejected update.'),
  {
    ...http(
      /^3\d\d$/,
      'answers $&: a redirect, which we do not follow',
      'Change the endpoint to the address to which your server redirects.',
    ),
    isUrlDoubtful: true,
  },
  {
    ...http(
      /^404$/,
      'answers 404: it does not know this path',
      'Correct the path of the endpoint, or deploy your receiver at it.',
    ),
    isUrlDoubtful: true,
  },
  http(
    /^405$/,
    'answers 405: it does not accept POST',
    'Let your receiver accept POST at this path, or correct the path.',
  ),
  http(
    /^429$/,
    'answers 429: too many requests',
    'Raise the limit of your server for our requests. We respect its Retry-After, up to a day.',
  ),
  http(
    /^4\d\d$/,
    'answers $&: it rejects the request',
    'Read the body of its answer at the last try, and find the request in your server’s log.',
  ),
  http(/^\d{3}$/, 'answers $&', 'Find the error in your server’s log, at the time of the last try.'),
  {
    pattern: /^no answer in time$/,
    short: 'no answer within 10 s',
    cause: 'gives no answer within 10 seconds',
    advice:
      'Store the update, answer 2xx and do the work afterwards. If no request reaches your server, check its firewall.',
  },
  {
    pattern: /^ECONNREFUSED$/,
    short: 'connection refused',
    cause: 'refuses the connection',
    advice: 'Check that your program runs and listens on this port, and that the firewall allows our connections.',
  },
  {
    pattern: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    short: 'connection closed',
    cause: 'closes the connection without an answer',
    advice: 'Check whether your program crashes at a request, or a proxy or firewall closes the connection.',
  },
  {
    pattern: /^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_AGAIN)$/,
    short: 'unknown host',
    cause: 'has a host name that DNS does not know',
    advice: 'Correct the host name of the endpoint, or add its DNS record.',
    isUrlDoubtful: true,
  },
  {
    pattern: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/,
    short: 'not reachable',
    cause: 'cannot be reached',
    advice: 'Check the address and port of the endpoint, and that the firewall allows our connections.',
  },
  {
    pattern: /WRONG_VERSION_NUMBER/,
    short: 'no TLS',
    cause: 'answers without TLS at an https address',
    advice: 'Let your server speak TLS at this port, or correct the port of the endpoint.',
  },
  {
    pattern: /CERT|SSL|TLS|EPROTO|UNABLE_TO/,
    short: 'invalid certificate',
    cause: 'has a certificate that we cannot verify',
    advice: 'Renew the certificate, install its whole chain, and check that it names this host.',
  },
  {
    pattern: /address|private host/,
    short: '',
    cause: 'has an address that we do not call: $&',
    advice: 'Change the endpoint to a public https address.',
    isUrlDoubtful: true,
  },
]

const unknownFailure: Omit<FailureWords, 'pattern'> = {
  short: '',
  cause: 'fails: $&',
  advice: 'Find the time of the last try in the logs of your server and of your proxy.',
}

const wordsOf = (answer: string) => failures.find(({ pattern }) => pattern.test(answer)) ?? unknownFailure

/** The answer within a list, such as `500` or `connection refused`. */
export const answerText = (answer: string | null): string => (answer && wordsOf(answer).short) || answer || 'no answer'

/** Continues `the endpoint …`, such as `answers 500` or `refuses the connection`. */
export const causeText = (answer: string): string => wordsOf(answer).cause.replace('$&', () => answer)

export const adviceText = (answer: string): string => wordsOf(answer).advice

export const isUrlDoubtful = (answer: string): boolean => wordsOf(answer).isUrlDoubtful === true

export const isSignatureDoubtful = (answer: string): boolean => /^40[13]$/.test(answer)
