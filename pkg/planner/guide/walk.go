package guide

import "math"

const (
	// earthRadius is the mean radius of the Earth in metres (IUGG).
	earthRadius = 6371008.8
	// detour is how much longer a way through streets is than the straight line: studies
	// of street networks find 1.2 to 1.4.
	detour = 1.3
	// pace is in metres a minute, 4.8 km/h: what Japan's rules for advertising property
	// count for a way on foot.
	pace = 80
)

// Walk returns how long a way on foot between two points is, in metres, and how many
// minutes it takes, rounded up. Both are estimates: the great circle by the haversine
// formula, times a usual detour factor of 1.3, at 80 metres a minute. Hills, rivers and
// stairs are not known.
func Walk(lat1, lon1, lat2, lon2 float64) (metres, minutes int) {
	const degree = math.Pi / 180
	u := math.Sin((lat2 - lat1) * degree / 2)
	v := math.Sin((lon2 - lon1) * degree / 2)
	h := u*u + math.Cos(lat1*degree)*math.Cos(lat2*degree)*v*v
	metres = int(math.Round(2 * earthRadius * math.Asin(math.Sqrt(min(1, h))) * detour))
	return metres, (metres + pace - 1) / pace
}
