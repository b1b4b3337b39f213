/** Parts of the SDK's messages, and the settings that fix each cause. */
const causes: readonly (readonly [RegExp, string])[] = [
  [
    /CertificateRequired/,
    'the server demands a client certificate: set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH',
  ],
  [
    /fatal alert/,
    'the server ends the TLS handshake: check the client certificate of TEMPORAL_TLS_CLIENT_CERT_PATH',
  ],
  [
    /NotValidForName/,
    "the server's certificate has another name: set TEMPORAL_TLS_SERVER_NAME to it, or check TEMPORAL_ADDRESS",
  ],
  [
    /InvalidCertificate/,
    "the server's certificate is not trusted: check TEMPORAL_TLS_SERVER_CA_CERT_PATH",
  ],
  [
    /Unauthenticated|PermissionDenied|unauthorized/i,
    'the server refuses the credentials: check TEMPORAL_API_KEY or the client certificate, and TEMPORAL_NAMESPACE',
  ],
  [
    /Namespace .*not found|NotFound/i,
    'the namespace does not exist: check TEMPORAL_NAMESPACE, or create it with temporal operator namespace create',
  ],
  [/dns error|tcp connect error/, 'no server answers: check TEMPORAL_ADDRESS'],
  [
    /transport::Error/,
    'the server closes the connection: check TEMPORAL_TLS and the client certificate of TEMPORAL_TLS_CLIENT_CERT_PATH',
  ],
];

/**
 * The cause of a failed connection with the setting at fault. Logs leave out the messages of
 * libraries, so that an operator would see no cause otherwise.
 */
export function connectionAdvice(error: unknown): string | undefined {
  const text = String(error);
  return causes.find(([pattern]) => pattern.test(text))?.[1];
}
