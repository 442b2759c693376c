package supabase

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// VerifierConfig says whose tokens are accepted.
type VerifierConfig struct {
	// URL is the project's address; its Auth must be the issuer. Required.
	URL string

	// JWKS is the project's public key set as JSON, given to spare a cold start
	// the fetch. It counts as fetched when the verifier is made. Optional.
	JWKS string

	// Secret is the legacy shared secret. Only when it is set are HS256 tokens
	// accepted.
	Secret identity.Secret

	// HTTP fetches the key set. Nil means a transport of the verifier's own.
	HTTP http.RoundTripper

	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Claims are what a verified token says. Being a member of OrgID is for the
// database to say, see Client.Whoami.
type Claims struct {
	UserID    string // uuid
	Email     string
	Name      string
	OrgID     string // as claimed; "" when the token names none
	SessionID string
	ExpiresAt time.Time
}

const (
	leeway      = 30 * time.Second
	maxTokenLen = 16 << 10
)

// Verifier checks the tokens of signed-in people. It is safe for concurrent use.
type Verifier struct {
	parser *jwt.Parser
	secret identity.Secret
	keys   *keySet
	clock  func() time.Time
	seen   verified
}

// NewVerifier checks cfg and returns the verifier. Keys are fetched when first
// needed.
func NewVerifier(cfg VerifierConfig) (*Verifier, error) {
	if cfg.URL == "" {
		return nil, errors.New("supabase: the project's URL is missing (SUPABASE_URL)")
	}
	issuer := strings.TrimRight(cfg.URL, "/") + "/auth/v1"
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.HTTP == nil {
		cfg.HTTP = newHTTPTransport()
	}
	keys := &keySet{address: issuer + "/.well-known/jwks.json", http: cfg.HTTP, now: cfg.Now}
	if cfg.JWKS != "" {
		parsed, err := parseKeys([]byte(cfg.JWKS))
		if err != nil {
			return nil, fmt.Errorf("supabase: the given key set (SUPABASE_JWKS): %w", err)
		}
		keys.byID, keys.fetched = parsed, cfg.Now()
	}
	methods := []string{jwt.SigningMethodES256.Alg(), jwt.SigningMethodRS256.Alg()}
	if cfg.Secret != "" {
		methods = append(methods, jwt.SigningMethodHS256.Alg())
	}
	return &Verifier{
		secret: cfg.Secret,
		keys:   keys,
		clock:  cfg.Now,
		parser: jwt.NewParser(
			jwt.WithValidMethods(methods), jwt.WithIssuer(issuer), jwt.WithAudience("authenticated"),
			jwt.WithExpirationRequired(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(cfg.Now), jwt.WithStrictDecoding()),
	}, nil
}

type wireClaims struct {
	jwt.RegisteredClaims
	Role         string         `json:"role"`
	Email        string         `json:"email"`
	SessionID    string         `json:"session_id"`
	OrgID        string         `json:"org_id"`
	AppMetadata  map[string]any `json:"app_metadata"`
	UserMetadata map[string]any `json:"user_metadata"`
}

// Verify returns the claims of a token. What was found good is taken as good for
// a minute more, but not beyond the token's end. A token that is not good for any reason
// is a fault.Unauthorized error; a key set that cannot be fetched is a
// fault.Unavailable one.
func (v *Verifier) Verify(ctx context.Context, token identity.Secret) (Claims, error) {
	if len(token) > maxTokenLen {
		return Claims{}, signIn(errors.New("the token is too long"))
	}
	digest := digestOf(token)
	if claims, ok := v.seen.find(digest, v.clock()); ok {
		return claims, nil
	}
	claims, err := v.check(ctx, token)
	if err == nil {
		v.seen.keep(digest, claims, v.clock())
	}
	return claims, err
}

// Caller returns the caller as a good token says: only UserID, OrgID and Token
// are set. Whether they are a member is for the database to say, see
// Client.Whoami. Its errors are those of Verify.
func (v *Verifier) Caller(ctx context.Context, token string) (identity.Caller, error) {
	claims, err := v.Verify(ctx, identity.Secret(token))
	return identity.Caller{UserID: claims.UserID, OrgID: strings.ToLower(claims.OrgID), Token: identity.Secret(token)},
		err
}

func (v *Verifier) check(ctx context.Context, token identity.Secret) (Claims, error) {
	var claims wireClaims
	_, err := v.parser.ParseWithClaims(token.Reveal(), &claims,
		func(t *jwt.Token) (any, error) { return v.key(ctx, t) })
	if err != nil {
		if f, ok := errors.AsType[*fault.Error](err); ok {
			return Claims{}, f
		}
		return Claims{}, signIn(err)
	}
	user, err := uuid.Parse(claims.Subject)
	if err != nil || len(claims.Subject) != 36 {
		return Claims{}, signIn(errors.New("the subject is not a uuid"))
	}
	if claims.Role != "authenticated" {
		return Claims{}, signIn(fmt.Errorf("the role is %.40q", claims.Role))
	}
	org, _ := claims.AppMetadata["org_id"].(string)
	name, _ := claims.UserMetadata["name"].(string)
	return Claims{
		UserID: user.String(), Email: claims.Email, Name: name, OrgID: cmp.Or(org, claims.OrgID),
		SessionID: claims.SessionID, ExpiresAt: claims.ExpiresAt.Time,
	}, nil
}

// key returns the key for a token's signature. The kind of key decides the
// algorithm, never the token: a public key is no shared secret.
func (v *Verifier) key(ctx context.Context, t *jwt.Token) (any, error) {
	if t.Method == jwt.SigningMethodHS256 {
		return []byte(v.secret.Reveal()), nil
	}
	id, _ := t.Header["kid"].(string)
	if id == "" {
		return nil, errors.New("the token names no key")
	}
	key, err := v.keys.find(ctx, id)
	if err != nil {
		return nil, err
	}
	fits := false
	switch key.(type) {
	case *ecdsa.PublicKey:
		fits = t.Method == jwt.SigningMethodES256
	case *rsa.PublicKey:
		fits = t.Method == jwt.SigningMethodRS256
	}
	if !fits {
		return nil, errors.New("the algorithm does not fit the key")
	}
	return key, nil
}

func signIn(cause error) *fault.Error {
	sentence := "Please sign in again."
	if errors.Is(cause, jwt.ErrTokenExpired) {
		sentence = "Your session has ended. Please sign in again."
	}
	return fault.Wrap(fault.Unauthorized, cause, "%s", sentence)
}
