import org.springframework.security.oauth2.client.endpoint.DefaultClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2ClientCredentialsGrantRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;

/** The client credentials client that Spring Security uses unless it is told otherwise. */
public class Spring {
  public static void main(String[] args) {
    for (var method : new ClientAuthenticationMethod[] {ClientAuthenticationMethod.CLIENT_SECRET_BASIC, ClientAuthenticationMethod.CLIENT_SECRET_POST}) {
      for (String scope : new String[] {"", "partner:contacts:read"}) {
        var registration = ClientRegistration.withRegistrationId("onward").clientId(args[1]).clientSecret(args[2])
            .clientAuthenticationMethod(method).authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .tokenUri(args[0] + "/oauth2/token");
        if (!scope.isEmpty()) registration.scope(scope);
        var response = new DefaultClientCredentialsTokenResponseClient()
            .getTokenResponse(new OAuth2ClientCredentialsGrantRequest(registration.build()));
        if (response.getAccessToken().getTokenValue().isEmpty()) throw new IllegalStateException("no token");
      }
    }
  }
}
